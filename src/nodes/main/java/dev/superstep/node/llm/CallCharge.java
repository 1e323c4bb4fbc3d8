package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.SpendingGate;
import dev.superstep.model.SpendingGate.CallBound;
import dev.superstep.model.SpendingGate.CallUsage;
import dev.superstep.model.identity.IdentityException;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Set;
import org.apache.hc.client5.http.ConnectTimeoutException;

/// What one call of a model draws on the budgets of its run and of the operator. Where it is not
/// known what the provider took, because the answer did not arrive or names no tokens, all that was
/// reserved counts as spent.
record CallCharge(Model model, SpendingGate.Reservation reservation) {
  /// Codes of failures that come before anything is sent.
  private static final Set<String> UNSENT =
      Set.of("bad_model_options", "bad_messages", "model_unauthorized");

  private static final int DEPTH_MAX = 20;

  /// To be called before the request is made.
  ///
  /// @throws TaskFailedException if a budget is used up: nothing is drawn
  static CallCharge begin(SpendingGate gate, NodeCall call, Model model, ModelRequest request)
      throws InterruptedException {
    call.meter().check();
    var reservation = gate.reserve(call.run(), () -> CallBound.of(model, request));
    try {
      call.meter().begin();
    } catch (TaskFailedException e) {
      reservation.settle(CallUsage.NOTHING);
      throw e;
    }
    return new CallCharge(model, reservation);
  }

  void answered(Usage usage) throws InterruptedException {
    if (usage.total() > 0) {
      var cost = model.prices().flatMap(it -> it.costOf(usage)).orElse(BigDecimal.ZERO);
      reservation.settle(new CallUsage(1, usage.total(), cost));
    }
  }

  void failed(ModelException e) throws InterruptedException {
    if (e.error().details().get("status") instanceof Value.Int(long status)) {
      if (CallUsage.isRefusal(Math.toIntExact(status))) {
        reservation.settle(CallUsage.REFUSED);
      }
    } else if (UNSENT.contains(e.error().code()) || isUnconnected(e)) {
      reservation.settle(CallUsage.REFUSED);
    }
  }

  /// Whether the provider has seen nothing of the call.
  private static boolean isUnconnected(Throwable failure) {
    int depth = 0;
    for (Throwable it = failure; it != null && depth < DEPTH_MAX; it = it.getCause()) {
      if (it instanceof IdentityException
          || it instanceof ConnectException
          || it instanceof ConnectTimeoutException
          || it instanceof UnknownHostException) {
        return true;
      }
      depth++;
    }
    return false;
  }
}
