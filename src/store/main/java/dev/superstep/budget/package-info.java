/// Budgets of the operator: what tenants, callers and graphs may spend on models in a day or a
/// month. Begin with [Budgets], which reserves before a call and settles after it.
@NullMarked
package dev.superstep.budget;

import org.jspecify.annotations.NullMarked;
