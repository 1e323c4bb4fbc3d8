package orders;

import dev.superstep.client.SuperstepWorker;
import dev.superstep.client.TaskFailedException;
import dev.superstep.client.WorkerTask;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/// Orders as a Spring Boot application. `superstep.url` and `superstep.api-key` say where the
/// service is, `superstep.client.concurrency` and `superstep.client.grace` what the worker does.
@SpringBootApplication
public class SpringOrders {
  public static void main(String[] arguments) {
    SpringApplication.run(SpringOrders.class, arguments);
  }

  @Component
  static class Payments {
    @SuperstepWorker("charge")
    Orders.Receipt charge(Orders.Order order) throws TaskFailedException {
      if (order.cents() > 10_000) {
        throw new TaskFailedException("card_declined", order.cents() + " cents are too much");
      }
      return new Orders.Receipt("r-" + order.id());
    }
  }

  @Component
  static class Parcels {
    @SuperstepWorker("ship")
    Map<String, Object> ship(Orders.Parcel parcel, WorkerTask task) throws InterruptedException {
      return Orders.ship(parcel, task);
    }
  }
}
