package dev.superstep.security.token;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;

/// Fetches the keys of an issuer from where its metadata says they are (OpenID Connect Discovery).
///
/// @param http fetches both documents
/// @param issuer which the metadata must name
record IssuerKeys(ResourceRetriever http, String issuer) implements ResourceRetriever {
  private static final String METADATA = "/.well-known/openid-configuration";

  /// Where an issuer publishes its metadata.
  static String metadata(String issuer) {
    return issuer.replaceFirst("/$", "") + METADATA;
  }

  @Override
  public Resource retrieveResource(URL metadata) throws IOException {
    return http.retrieveResource(keys(http.retrieveResource(metadata).getContent()));
  }

  private URL keys(String document) throws IOException {
    try {
      var metadata = JSONObjectUtils.parse(document);
      if (!issuer.equals(JSONObjectUtils.getString(metadata, "issuer"))) {
        throw new IOException("the metadata is that of another issuer");
      }
      var keys = JSONObjectUtils.getURI(metadata, "jwks_uri");
      // The driver of URLs would read files, too, and keys over HTTP can be exchanged on the way.
      if (keys == null || !URI.create(issuer).getScheme().equals(keys.getScheme())) {
        throw new IOException("the metadata names no keys at an address like the issuer's");
      }
      return keys.toURL();
    } catch (ParseException e) {
      throw new IOException("the metadata of the issuer cannot be read", e);
    }
  }
}
