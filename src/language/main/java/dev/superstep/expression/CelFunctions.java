package dev.superstep.expression;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newGlobalOverload;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelFunctionBinding;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Lists the functions that we add to CEL, each with its type and its body.
@SuppressWarnings("Immutable") // jtokkit's encoding is, without saying so
public final class CelFunctions {
  private static final CelType ANY = SimpleType.DYN;
  private static final CelType TEXT = SimpleType.STRING;
  private static final CelType LIST = ListType.create(SimpleType.DYN);
  private final List<CelFunctionDecl> declarations = new ArrayList<>();
  private final List<CelFunctionBinding> bindings = new ArrayList<>();

  public CelFunctions() {
    addRouting();
    addAggregates();
    addData(new DataFunctions());
    addTexts();
    addContext();
    declarations.addAll(Arithmetic.declarations());
    bindings.addAll(Arithmetic.bindings());
  }

  public List<CelFunctionDecl> declarations() {
    return declarations;
  }

  public List<CelFunctionBinding> bindings() {
    return bindings;
  }

  private void declare(String name, CelOverloadDecl... overloads) {
    declarations.add(newFunctionDeclaration(name, overloads));
  }

  private void addRouting() {
    declare(
        "dispatch",
        newGlobalOverload("dispatch_1", ANY, TEXT),
        newGlobalOverload("dispatch_2", ANY, TEXT, ANY),
        newGlobalOverload("dispatch_3", ANY, TEXT, ANY, ANY));
    declare(
        "fan_out",
        newGlobalOverload("fan_out_2", LIST, TEXT, LIST),
        newGlobalOverload("fan_out_3", LIST, TEXT, LIST, TEXT));
    declare("is_dispatch", newGlobalOverload("is_dispatch_any", SimpleType.BOOL, ANY));
    declare("is_dispatches", newGlobalOverload("is_dispatches_any", SimpleType.BOOL, ANY));
    bindings.add(CelFunctionBinding.from("is_dispatch_any", Object.class, Routing::isDispatch));
    bindings.add(CelFunctionBinding.from("is_dispatches_any", Object.class, Routing::isDispatches));
    bindings.add(CelFunctionBinding.from("dispatch_1", String.class, Routing::dispatch));
    bindings.add(
        CelFunctionBinding.from("dispatch_2", String.class, Object.class, Routing::dispatch));
    bindings.add(
        CelFunctionBinding.from(
            "dispatch_3",
            List.of(String.class, Object.class, Object.class),
            it -> Routing.dispatch((String) it[0], it[1], it[2])));
    bindings.add(CelFunctionBinding.from("fan_out_2", String.class, List.class, Routing::fanOut));
    bindings.add(
        CelFunctionBinding.from(
            "fan_out_3",
            List.of(String.class, List.class, String.class),
            it -> Routing.fanOut((String) it[0], (List<?>) it[1], (String) it[2])));
  }

  private void addAggregates() {
    declare("sum", newGlobalOverload("sum_list", ANY, LIST));
    declare("avg", newGlobalOverload("avg_list", SimpleType.DOUBLE, LIST));
    declare(
        "min", newGlobalOverload("min_list", ANY, LIST), newGlobalOverload("min_2", ANY, ANY, ANY));
    declare(
        "max", newGlobalOverload("max_list", ANY, LIST), newGlobalOverload("max_2", ANY, ANY, ANY));
    bindings.add(CelFunctionBinding.from("sum_list", List.class, Aggregates::sum));
    bindings.add(CelFunctionBinding.from("avg_list", List.class, Aggregates::avg));
    bindings.add(CelFunctionBinding.from("min_list", List.class, Aggregates::min));
    bindings.add(CelFunctionBinding.from("max_list", List.class, Aggregates::max));
    bindings.add(
        CelFunctionBinding.from(
            "min_2", Object.class, Object.class, (a, b) -> Aggregates.min(List.of(a, b))));
    bindings.add(
        CelFunctionBinding.from(
            "max_2", Object.class, Object.class, (a, b) -> Aggregates.max(List.of(a, b))));
  }

  private void addData(DataFunctions data) {
    declare("merge", newGlobalOverload("merge_2", ANY, ANY, ANY));
    declare("union", newGlobalOverload("union_2", LIST, ANY, ANY));
    declare("keys", newGlobalOverload("keys_map", LIST, ANY));
    declare("values", newGlobalOverload("values_map", LIST, ANY));
    declare("to_json", newGlobalOverload("to_json_any", TEXT, ANY));
    declare("from_json", newGlobalOverload("from_json_string", ANY, TEXT));
    declare("tokens", newGlobalOverload("tokens_any", SimpleType.INT, ANY));
    bindings.add(
        CelFunctionBinding.from("merge_2", Object.class, Object.class, DataFunctions::merge));
    bindings.add(
        CelFunctionBinding.from("union_2", Object.class, Object.class, DataFunctions::union));
    bindings.add(CelFunctionBinding.from("keys_map", Object.class, DataFunctions::keys));
    bindings.add(CelFunctionBinding.from("values_map", Object.class, DataFunctions::valuesOf));
    bindings.add(CelFunctionBinding.from("to_json_any", Object.class, DataFunctions::toJson));
    bindings.add(
        CelFunctionBinding.from("from_json_string", String.class, DataFunctions::fromJson));
    bindings.add(CelFunctionBinding.from("tokens_any", Object.class, data::tokens));
  }

  private void addTexts() {
    declare(
        "hash",
        newGlobalOverload("hash_any", TEXT, ANY),
        newGlobalOverload("hash_any_string", TEXT, ANY, TEXT));
    declare(
        "uuid", newGlobalOverload("uuid_task", TEXT), newGlobalOverload("uuid_string", TEXT, TEXT));
    declare(
        "format",
        newGlobalOverload("format_string_list", TEXT, TEXT, LIST),
        newMemberOverload("string_format_list", TEXT, TEXT, LIST));
    bindings.add(CelFunctionBinding.from("hash_any", Object.class, TextFunctions::hash));
    bindings.add(
        CelFunctionBinding.from(
            "hash_any_string", Object.class, String.class, TextFunctions::hash));
    bindings.add(CelFunctionBinding.from("uuid_task", List.of(), _ -> TextFunctions.uuid("")));
    bindings.add(CelFunctionBinding.from("uuid_string", String.class, TextFunctions::uuid));
    for (var id : List.of("format_string_list", "string_format_list")) {
      bindings.add(CelFunctionBinding.from(id, String.class, List.class, TextFunctions::format));
    }
  }

  private void addContext() {
    declare(ContextPaths.FIND, newGlobalOverload("context_find", ANY, ANY, TEXT));
    declare(ContextPaths.HAS, newGlobalOverload("context_has", SimpleType.BOOL, ANY, TEXT));
    declare(
        ContextPaths.OPTIONAL,
        newGlobalOverload("context_optional", OptionalType.create(ANY), ANY, TEXT));
    bindings.add(
        CelFunctionBinding.from(
            "context_find",
            Map.class,
            String.class,
            (context, path) -> find(context, path).orElse(NullValue.NULL_VALUE)));
    bindings.add(
        CelFunctionBinding.from(
            "context_has",
            Map.class,
            String.class,
            (context, path) -> find(context, path).isPresent()));
    bindings.add(
        CelFunctionBinding.from("context_optional", Map.class, String.class, CelFunctions::find));
  }

  private static Optional<Object> find(Map<?, ?> context, String path) {
    Optional<Value> found = ((ContextView) context).find(path);
    return found.map(CelValues::view);
  }
}
