package dev.superstep.model.identity;

import java.util.Optional;
import java.util.regex.Pattern;

/// Reads single texts of AWS' answers in XML, which hold them without attributes and markup.
final class AwsXml {
  private AwsXml() {}

  static Optional<String> find(String xml, String element) {
    var matcher = Pattern.compile("<%1$s>([^<]*)</%1$s>".formatted(element)).matcher(xml);
    return matcher.find() ? Optional.of(unescape(matcher.group(1))) : Optional.empty();
  }

  private static String unescape(String text) {
    return text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
  }
}
