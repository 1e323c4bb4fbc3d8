package dev.superstep.database;

import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/// The columns of an entity's table, from its mapping, for the statements that write many rows or
/// several tables at once. No such statement lists columns of its own: a column that an entity gets
/// is missing there until its value is given, and the application does not start.
///
/// @param table its name
/// @param key columns of the primary key
/// @param names all columns, the key first
public record EntityColumns(String table, List<String> key, List<String> names) {
  public EntityColumns {
    key = List.copyOf(key);
    names = List.copyOf(names);
  }

  /// Reads the mapping of `entity`.
  public static EntityColumns of(EntityManagerFactory entities, Class<?> entity) {
    var mapping =
        entities
            .unwrap(SessionFactoryImplementor.class)
            .getMappingMetamodel()
            .getEntityDescriptor(entity);
    var key = new ArrayList<String>();
    mapping
        .getIdentifierMapping()
        .forEachSelectable((_, column) -> key.add(column.getSelectionExpression()));
    var names = new ArrayList<>(key);
    mapping.forEachAttributeMapping(attribute ->
        attribute.forEachSelectable((_, column) -> names.add(column.getSelectionExpression())));
    return new EntityColumns(mapping.getMappedTableDetails().getTableName(), key, names);
  }

  /// `insert into table (columns) select values`, to be continued with `from`.
  ///
  /// @param values the SQL expression of each column's value
  /// @throws IllegalArgumentException if a column has no value, or a value has no column
  public String insertSelect(Map<String, String> values) {
    if (!values.keySet().equals(Set.copyOf(names))) {
      throw new IllegalArgumentException(
          "table %s has the columns %s, but values are given for %s"
              .formatted(table, names, values.keySet()));
    }
    return "insert into %s (%s)%nselect %s"
        .formatted(
            table,
            String.join(", ", names),
            names.stream().map(values::get).collect(Collectors.joining(", ")));
  }

  /// `on conflict (key) do update set …` with all other columns as they would have been inserted,
  /// to be continued with `where`.
  public String onConflictUpdate() {
    return "on conflict (%s) do update%nset %s"
        .formatted(
            String.join(", ", key),
            names.stream()
                .filter(it -> !key.contains(it))
                .map(it -> "%s = excluded.%s".formatted(it, it))
                .collect(Collectors.joining(", ")));
  }
}
