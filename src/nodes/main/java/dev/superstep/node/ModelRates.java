package dev.superstep.node;

import dev.superstep.model.Model;
import dev.superstep.model.ModelPrices;
import dev.superstep.model.Models;
import java.util.Optional;

/// What models cost that agents ask by themselves: the prices of the one in the settings that the
/// provider calls the same.
@FunctionalInterface
interface ModelRates {
  ModelRates NONE = _ -> Optional.empty();

  /// Empty: not known.
  Optional<ModelPrices> find(String providerModel);

  static ModelRates of(Models models) {
    return name ->
        models.all().stream()
            .filter(it -> it.providerModel().equals(name))
            .findFirst()
            .flatMap(Model::prices);
  }
}
