package dev.superstep.definition;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds stored graphs for the packages that run them.
public interface GraphRegistry {

  /// The numbers of the versions that can be started under each name, without names that are not
  /// there or hidden. Costs one look-up of one row for each.
  Map<String, Shown> shown(Collection<String> names);

  /// @param above versions up to this one are hidden
  record Shown(int above, int newest) {
    public boolean has(int version) {
      return version > above && version <= newest;
    }
  }

  /// The graphs that can be started, by name; at most `max`.
  List<Listed> listed(int max);

  /// A graph in a list.
  record Listed(String name, int newest, Instant createdAt, Instant updatedAt) {}

  /// A version whose name is not hidden since.
  Optional<GraphVersion> version(String name, int version);

  /// A version, compiled; cached. Hidden ones too: runs keep theirs.
  ///
  /// @param name of a stored graph, or of an inline graph as [GraphName#text]
  /// @throws dev.superstep.problem.ServiceException `version_not_found`, or `invalid_definition`
  ///   when this server lacks something the definition needs, such as a function
  Compiled compiled(String name, int version);
}
