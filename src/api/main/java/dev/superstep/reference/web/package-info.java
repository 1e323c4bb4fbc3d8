/// The meaning of codes over HTTP, where problem documents link to.
@NullMarked
package dev.superstep.reference.web;

import org.jspecify.annotations.NullMarked;
