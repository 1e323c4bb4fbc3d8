package dev.superstep.model;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The proxies of the JVM, but none for the agents and metadata servers of a platform: they speak
/// plain HTTP beside this host, and a proxy would read what they give, or have its own given.
final class PlatformProxies extends ProxySelector {
  private static final Pattern PLATFORM =
      Pattern.compile("(?i)169\\.254\\.[0-9.]+|metadata\\.google\\.internal|\\[?fd00:ec2::23]?");

  private final @Nullable ProxySelector others;

  PlatformProxies(@Nullable ProxySelector others) {
    this.others = others;
  }

  @Override
  public List<Proxy> select(URI uri) {
    boolean isDirect = others == null || PLATFORM.matcher(String.valueOf(uri.getHost())).matches();
    return isDirect || others == null ? List.of(Proxy.NO_PROXY) : others.select(uri);
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException failure) {
    if (others != null) {
      others.connectFailed(uri, address, failure);
    }
  }
}
