/// YAML as values, and positions of strings in a text. Begin with [dev.superstep.json.yaml.Yaml].
@NullMarked
package dev.superstep.json.yaml;

import org.jspecify.annotations.NullMarked;
