@NullMarked
package dev.superstep.apikey;

import org.jspecify.annotations.NullMarked;
