package dev.superstep.node;

import dev.superstep.engine.run.RunHeader;
import dev.superstep.model.Model;
import dev.superstep.model.ModelPrices;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.Models;
import dev.superstep.model.SpendingGate;
import dev.superstep.model.SpendingGate.CallBound;
import dev.superstep.model.SpendingGate.Reservation;
import java.util.Optional;
import java.util.function.Function;

/// What models cost that agents ask by themselves, and which budgets of the operator they draw on:
/// the prices are those of the model in the settings that the provider calls the same.
///
/// @param priced by that name; empty: not known
record ModelRates(Function<String, Optional<ModelPrices>> priced, SpendingGate gate) {
  static final ModelRates NONE = new ModelRates(_ -> Optional.empty(), SpendingGate.OPEN);

  static ModelRates of(Models models, SpendingGate gate) {
    return new ModelRates(
        name ->
            models.all().stream()
                .filter(it -> it.providerModel().equals(name))
                .findFirst()
                .flatMap(Model::prices),
        gate);
  }

  Optional<ModelPrices> find(String providerModel) {
    return priced.apply(providerModel);
  }

  /// @throws dev.superstep.engine.run.TaskFailedException as the gate does
  Reservation reserve(RunHeader run, AgentRequest request) throws InterruptedException {
    return gate.reserve(
        run,
        () ->
            new CallBound(
                request.model(),
                ModelRequest.inputTokensMax(request.text(), request.images(), request.imageBytes()),
                request.outputTokensMax(),
                find(request.model())));
  }
}
