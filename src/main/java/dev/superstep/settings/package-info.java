/// What is wrong with the settings of the service, said so that its operator can put it right.
/// Begin with [Setting].
@NullMarked
package dev.superstep.settings;

import org.jspecify.annotations.NullMarked;
