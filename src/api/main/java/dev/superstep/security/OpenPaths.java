package dev.superstep.security;

import java.util.List;

/// Addresses of pages, which need no key and to which other sites may link. A bean of this type
/// opens them.
///
/// @param patterns of paths, as Spring writes them
public record OpenPaths(List<String> patterns) {
  public OpenPaths {
    patterns = List.copyOf(patterns);
  }
}
