/// API keys that are made and revoked over the API. Only digests are stored. Begin with
/// [dev.superstep.apikey.StoredKeys].
@NullMarked
package dev.superstep.apikey;

import org.jspecify.annotations.NullMarked;
