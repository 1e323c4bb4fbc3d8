/// Tokens of an OpenID provider, beside API keys. Begin with
/// [dev.superstep.security.token.JwtCallers].
@NullMarked
package dev.superstep.security.token;

import org.jspecify.annotations.NullMarked;
