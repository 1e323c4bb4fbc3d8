package dev.superstep.node.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
import org.apache.hc.core5.net.URIAuthority;

/// Reads the URLs that HTTP nodes call.
///
/// Only `http` and `https`, no user info, and no way of writing an IPv4 address that parsers read
/// differently (`0x7f.1`, `017700000001`, `127.1`).
final class Urls {
  /// A host whose last label is a number is an IPv4 address to some parsers.
  private static final Pattern NUMERIC = Pattern.compile("(.*\\.)?(0[xX][0-9a-fA-F]*|[0-9]+)\\.?");

  private static final Pattern DOTTED_QUAD =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(?!$)|$)){4}");

  /// Nothing, a colon, or a colon and a port.
  private static final Pattern PORT = Pattern.compile("(:[0-9]{0,5})?");

  private static final int PORT_MAX = 65_535;

  private Urls() {}

  /// @throws BadRequestException saying what is wrong with the URL
  public static URI parse(String text) {
    URI uri;
    try {
      uri = new URI(text.strip());
    } catch (URISyntaxException e) {
      throw new BadRequestException(
          "this is no URL; write one such as https://example.com/path, with %20 for a space");
    }
    return check(uri);
  }

  /// Where a redirect of `from` leads.
  public static URI redirect(URI from, String location) {
    try {
      return check(from.resolve(new URI(location.strip())));
    } catch (URISyntaxException e) {
      throw new BadRequestException("redirected to what is no URL: " + e.getReason());
    }
  }

  private static URI check(URI uri) {
    var scheme = uri.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
      throw new BadRequestException("the URL must begin with http:// or https://");
    }
    var authority = authority(uri);
    if (authority.getUserInfo() != null) {
      throw new BadRequestException("the URL may not hold user info; send a header instead");
    }
    checkHost(authority.getHostName());
    checkPort(uri.getRawAuthority());
    return withoutFragment(uri);
  }

  private static void checkHost(String host) {
    if (host.isEmpty() || host.contains("%")) {
      throw new BadRequestException("the URL names no host");
    }
    if (NUMERIC.matcher(host).matches() && !DOTTED_QUAD.matcher(host).matches()) {
      throw new BadRequestException(
          "'%s' is an ambiguous IPv4 address; write four decimal numbers".formatted(host));
    }
  }

  private static void checkPort(String authority) {
    int colon = authority.indexOf(':', authority.lastIndexOf(']') + 1);
    var port = colon < 0 ? "" : authority.substring(colon);
    if (!PORT.matcher(port).matches() || (port.length() > 1 && !isPort(port.substring(1)))) {
      throw noPort();
    }
  }

  private static boolean isPort(String digits) {
    int port = Integer.parseInt(digits);
    return port >= 1 && port <= PORT_MAX;
  }

  private static BadRequestException noPort() {
    return new BadRequestException("the URL's port must be from 1 to %d".formatted(PORT_MAX));
  }

  /// Host and port as the client will read them; `URI` alone does not know hosts with underscores.
  private static URIAuthority authority(URI uri) {
    try {
      var raw = uri.getRawAuthority();
      var authority = raw == null ? null : URIAuthority.create(raw);
      if (authority == null) {
        throw new BadRequestException("the URL names no host");
      }
      return authority;
    } catch (URISyntaxException e) {
      throw new BadRequestException("the URL names no host: " + e.getReason());
    } catch (IllegalArgumentException e) { // thrown for a port out of range
      throw noPort();
    }
  }

  private static URI withoutFragment(URI uri) {
    var text = uri.toString();
    int hash = text.indexOf('#');
    return hash < 0 ? uri : URI.create(text.substring(0, hash));
  }

  /// Scheme, host and port: what credentials are bound to.
  public static String origin(URI uri) {
    var authority = authority(uri);
    var scheme = uri.getScheme().toLowerCase(java.util.Locale.ROOT);
    int standard = scheme.equals("https") ? 443 : 80;
    int port = authority.getPort() < 0 ? standard : authority.getPort();
    var host = authority.getHostName().toLowerCase(java.util.Locale.ROOT);
    return scheme + "://" + host + ":" + port;
  }
}
