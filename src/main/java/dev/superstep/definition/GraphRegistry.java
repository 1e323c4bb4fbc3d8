package dev.superstep.definition;

import java.util.Optional;

/// The stored graphs, for those who run them.
public interface GraphRegistry {

  /// The newest version under a name that is not hidden.
  Optional<GraphVersion> newest(String name);

  /// A version, hidden or not: runs keep theirs.
  Optional<GraphVersion> version(String name, int version);

  /// A version that is known to exist, compiled; cached.
  ///
  /// @throws ServiceException `graph_not_found`, or `graph_unusable` when this server lacks
  ///   something the definition needs, such as a function
  Compiled compiled(String name, int version);
}
