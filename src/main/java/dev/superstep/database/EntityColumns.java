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
/// @param names in the order of the mapping, the key first
public record EntityColumns(String table, List<String> names) {
  public EntityColumns {
    names = List.copyOf(names);
  }

  /// Reads the mapping of `entity`.
  public static EntityColumns of(EntityManagerFactory entities, Class<?> entity) {
    var mapping =
        entities
            .unwrap(SessionFactoryImplementor.class)
            .getMappingMetamodel()
            .getEntityDescriptor(entity);
    var names = new ArrayList<String>();
    mapping
        .getIdentifierMapping()
        .forEachSelectable((_, column) -> names.add(column.getSelectionExpression()));
    mapping.forEachAttributeMapping(attribute ->
        attribute.forEachSelectable((_, column) -> names.add(column.getSelectionExpression())));
    return new EntityColumns(mapping.getMappedTableDetails().getTableName(), names);
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
}
