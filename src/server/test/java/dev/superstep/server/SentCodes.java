package dev.superstep.server;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.YieldTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import dev.superstep.Modules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// Finds the error codes in the sources of the service. A code is what is passed as a parameter
/// named `code`, is assigned to a variable of that name, is returned by a method of that name, or
/// is a constant of a class of codes. `http_*` stands for a code that is made of a prefix.
final class SentCodes {
  private static final Path EXPLAINS = Path.of("src/api/main/java/dev/superstep/server");
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*(_\\*)?");
  private static final String NAME = "code";

  /// Keys that are passed to methods with the name and as many parameters as one that takes a code.
  private static final Set<String> NO_CODES =
      Set.of(
          "code",
          "condition",
          "exclude_patterns",
          "include_patterns",
          "target",
          "transform",
          "transform_rules");

  private final Map<String, String> constants = new HashMap<>();
  private final Set<Taker> takers = new HashSet<>();
  private final SortedMap<String, String> codes = new TreeMap<>();

  private SentCodes() {}

  /// Code → a class that has it.
  static SortedMap<String, String> find() throws IOException {
    var found = new SentCodes();
    var units = units();
    units.forEach(it -> it.accept(found.new Declarations(), null));
    units.forEach(it -> it.accept(found.new Uses(), null));
    return found.codes;
  }

  private static List<CompilationUnitTree> units() throws IOException {
    var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var sources = Modules.sources().stream().filter(it -> !it.startsWith(EXPLAINS)).toList();
      var task =
          (JavacTask)
              compiler.getTask(
                  null, files, _ -> {}, null, null, files.getJavaFileObjectsFromPaths(sources));
      var units = new ArrayList<CompilationUnitTree>();
      task.parse().forEach(units::add);
      return units;
    }
  }

  /// A method or constructor that takes a code.
  ///
  /// @param owner the class, for what is called by its name; else ""
  private record Taker(String owner, String name, int arity, int index) {}

  /// Keeps the class that is being read.
  private abstract static class InClass extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final Deque<ClassTree> classes = new ArrayDeque<>();

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void context) {
      classes.push(tree);
      enter(tree);
      super.visitClass(tree, null);
      classes.pop();
      return null;
    }

    void enter(ClassTree tree) {}

    final ClassTree type() {
      return classes.element();
    }

    final String owner() {
      return type().getSimpleName().toString();
    }

    final List<String> owners() {
      return classes.stream().map(it -> it.getSimpleName().toString()).toList();
    }
  }

  private final class Declarations extends InClass {
    @Override
    void enter(ClassTree tree) {
      if (tree.getKind() == Tree.Kind.RECORD) {
        var components =
            tree.getMembers().stream()
                .filter(VariableTree.class::isInstance)
                .map(VariableTree.class::cast)
                .filter(it -> !it.getModifiers().getFlags().contains(Modifier.STATIC))
                .toList();
        add(tree.getSimpleName().toString(), "<init>", components);
      }
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void context) {
      var name = tree.getName().toString();
      boolean byClass =
          name.equals("<init>") || tree.getModifiers().getFlags().contains(Modifier.STATIC);
      add(byClass ? owner() : "", name, tree.getParameters());
      return super.visitMethod(tree, null);
    }

    private void add(String owner, String name, List<? extends VariableTree> parameters) {
      for (int i = 0; i < parameters.size(); i++) {
        if (isCode(parameters.get(i))) {
          takers.add(new Taker(owner, name, parameters.size(), i));
        }
      }
    }

    @Override
    public @Nullable Void visitVariable(VariableTree tree, @Nullable Void context) {
      if (tree.getModifiers().getFlags().contains(Modifier.STATIC)
          && tree.getInitializer() instanceof LiteralTree literal
          && literal.getValue() instanceof String text) {
        constants.put(owner() + "." + tree.getName(), text);
        if (owner().endsWith("Codes")) {
          found(text, owner());
        }
      }
      return super.visitVariable(tree, null);
    }
  }

  private static boolean isCode(VariableTree tree) {
    var type = String.valueOf(tree.getType());
    return tree.getName().contentEquals(NAME) && (type.equals("String") || type.equals("null"));
  }

  private void found(String text, String owner) {
    if (CODE.matcher(text).matches() && !NO_CODES.contains(text)) {
      codes.putIfAbsent(text, owner);
    }
  }

  private final class Uses extends InClass {
    private final Set<MethodTree> followed = new HashSet<>();

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree tree, @Nullable Void context) {
      var called = tree.getMethodSelect();
      switch (called) {
        case IdentifierTree name -> {
          var method = name.getName().toString();
          taken("", method, tree.getArguments());
          owners().forEach(it -> taken(it, method, tree.getArguments()));
          if (method.equals("this")) {
            taken(owner(), "<init>", tree.getArguments());
          }
        }
        case MemberSelectTree select -> {
          taken("", select.getIdentifier().toString(), tree.getArguments());
          taken(
              last(select.getExpression()), select.getIdentifier().toString(), tree.getArguments());
        }
        default -> {}
      }
      return super.visitMethodInvocation(tree, null);
    }

    @Override
    public @Nullable Void visitNewClass(NewClassTree tree, @Nullable Void context) {
      taken(last(tree.getIdentifier()), "<init>", tree.getArguments());
      return super.visitNewClass(tree, null);
    }

    private void taken(String owner, String name, List<? extends ExpressionTree> arguments) {
      for (int i = 0; i < arguments.size(); i++) {
        if (takers.contains(new Taker(owner, name, arguments.size(), i))) {
          read(arguments.get(i));
        }
      }
    }

    @Override
    public @Nullable Void visitVariable(VariableTree tree, @Nullable Void context) {
      if (isCode(tree)) {
        read(tree.getInitializer());
      }
      return super.visitVariable(tree, null);
    }

    @Override
    public @Nullable Void visitAssignment(AssignmentTree tree, @Nullable Void context) {
      if (last(tree.getVariable()).equals(NAME)) {
        read(tree.getExpression());
      }
      return super.visitAssignment(tree, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void context) {
      if (tree.getName().contentEquals(NAME)
          && String.valueOf(tree.getReturnType()).equals("String")
          && tree.getBody() != null) {
        tree.getBody().accept(new Returns(), null);
      }
      return super.visitMethod(tree, null);
    }

    private final class Returns extends TreeScanner<@Nullable Void, @Nullable Void> {
      @Override
      public @Nullable Void visitReturn(ReturnTree tree, @Nullable Void context) {
        read(tree.getExpression());
        return super.visitReturn(tree, null);
      }

      @Override
      public @Nullable Void visitLambdaExpression(
          LambdaExpressionTree tree, @Nullable Void context) {
        return null;
      }
    }

    private void read(@Nullable ExpressionTree tree) {
      switch (tree) {
        case LiteralTree it when it.getValue() instanceof String text -> found(text, owner());
        case ParenthesizedTree it -> read(it.getExpression());
        case ConditionalExpressionTree it -> {
          read(it.getTrueExpression());
          read(it.getFalseExpression());
        }
        case BinaryTree it when it.getLeftOperand() instanceof LiteralTree left ->
            found(left.getValue() + "*", owner());
        case IdentifierTree it -> owners().forEach(owner -> constant(owner + "." + it.getName()));
        case MemberSelectTree it -> constant(last(it.getExpression()) + "." + it.getIdentifier());
        case MethodInvocationTree it -> {
          it.getArguments().forEach(this::read);
          if (it.getMethodSelect() instanceof IdentifierTree name) {
            returned(name.getName().toString());
          }
        }
        case SwitchExpressionTree it -> it.getCases().forEach(this::read);
        case null, default -> {}
      }
    }

    /// What a method of this class gives, with which a code was asked for.
    private void returned(String method) {
      for (var member : type().getMembers()) {
        if (member instanceof MethodTree it
            && it.getName().contentEquals(method)
            && it.getBody() != null
            && followed.add(it)) {
          it.getBody().accept(new Returns(), null);
        }
      }
    }

    private void read(CaseTree tree) {
      if (tree.getBody() instanceof ExpressionTree value) {
        read(value);
      } else if (tree.getBody() != null) {
        tree.getBody()
            .accept(
                new TreeScanner<@Nullable Void, @Nullable Void>() {
                  @Override
                  public @Nullable Void visitYield(YieldTree yield, @Nullable Void context) {
                    read(yield.getValue());
                    return null;
                  }
                },
                null);
      }
    }

    private void constant(String name) {
      var text = constants.get(name);
      if (text != null) {
        found(text, owner());
      }
    }
  }

  private static String last(Tree tree) {
    var text = tree.toString();
    return text.substring(text.lastIndexOf('.') + 1);
  }
}
