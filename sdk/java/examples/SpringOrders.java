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
    Orders.Receipt charge(Orders.Order order, WorkerTask task)
        throws TaskFailedException, InterruptedException {
      return Orders.charge(order, task);
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
