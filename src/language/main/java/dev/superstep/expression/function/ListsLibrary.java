package dev.superstep.expression.function;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelParserBuilder;

/// CEL's extension for lists, with another type for `sortBy`: the library's own is that of the
/// pairs which it sorts, so that the fields of sorted items could not be selected.
public final class ListsLibrary implements CelCompilerLibrary {
  private final CelListsExtensions lists = CelExtensions.lists();

  @Override
  public void setCheckerOptions(CelCheckerBuilder checker) {
    lists.setCheckerOptions(checker);
  }

  @Override
  public void setParserOptions(CelParserBuilder parser) {
    lists.macros().forEach(it -> parser.addMacros(dynamic(it)));
  }

  private static CelMacro dynamic(CelMacro sortBy) {
    return CelMacro.newReceiverMacro(
        sortBy.getFunction(),
        2,
        (factory, target, arguments) ->
            sortBy
                .getExpander()
                .expandMacro(factory, target, arguments)
                .map(it -> factory.newGlobalCall("dyn", it)));
  }
}
