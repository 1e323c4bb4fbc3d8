/// Expressions (CEL): compiled and checked ([Expressions]), the types and functions they know
/// ([TypeCheck], [CelFunctions]), the values they see ([CelValues]) and the work that they may do
/// ([WorkBudget]). Only this package knows the library. Begin with [Expression].
@NullMarked
package dev.superstep.expression;

import org.jspecify.annotations.NullMarked;
