package dev.superstep.secret;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/// A server that a secret may be sent to: a host under HTTPS, on the usual port unless one is
/// named. `http://` allows clear text; `*` is any port.
///
/// @param port -1: any
record Server(String scheme, String host, int port) {
  static final String FORMS =
      "must be host, host:port or http://host[:port], the port a number or *";
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final Pattern FORM =
      Pattern.compile("(?:(https?)://)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}|\\*))?");

  static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  static Server parse(String text) {
    var matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'%s' %s".formatted(text, FORMS));
    }
    var scheme = matcher.group(1) == null ? "https" : matcher.group(1);
    var port = matcher.group(3);
    return new Server(
        scheme,
        matcher.group(2).toLowerCase(Locale.ROOT),
        port == null ? usual(scheme) : port.equals("*") ? -1 : Integer.parseInt(port));
  }

  private static int usual(String scheme) {
    return scheme.equals("https") ? HTTPS : HTTP;
  }

  boolean is(URI url) {
    var called = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    int at = url.getPort() < 0 ? usual(called) : url.getPort();
    return scheme.equals(called)
        && host.equals(String.valueOf(url.getHost()).toLowerCase(Locale.ROOT))
        && (port < 0 || port == at);
  }
}
