package orders;

import dev.superstep.client.Superstep;
import dev.superstep.client.TaskFailedException;
import dev.superstep.client.Worker;
import dev.superstep.client.WorkerTask;
import java.util.Map;

/// Does the tasks of graphs. Told to end, it claims nothing more, and does what it has in hand.
class Orders {
  record Order(String id, int cents) {}

  record Receipt(String number) {}

  record Parcel(String id, int steps) {}

  public static void main(String[] arguments) throws InterruptedException {
    var worker =
        new Worker(5)
            .handle("charge", Order.class, Orders::charge)
            .handle("ship", Parcel.class, Orders::ship);
    System.out.println("declined: " + worker.test("charge", new Order("0", 20_000)).error().code());
    worker.run(Superstep.connect());
  }

  static Receipt charge(Order order, WorkerTask task)
      throws TaskFailedException, InterruptedException {
    if (order.cents() > 10_000) {
      throw new TaskFailedException("card_declined", order.cents() + " cents are too much");
    }
    // What is recorded is not paid again, whoever repeats the task.
    return task.steps().run("pay", Receipt.class, key -> pay(order, key));
  }

  /// The key is equal for every attempt, so that the bank knows a payment again.
  private static Receipt pay(Order order, String key) {
    System.out.println("pays " + order.id() + " " + key);
    return new Receipt("r-" + order.id());
  }

  static Map<String, Object> ship(Parcel parcel, WorkerTask task) throws InterruptedException {
    System.out.println("ships " + parcel.id());
    try {
      for (int step = 0; step < parcel.steps(); step++) {
        Thread.sleep(100);
        task.progress(Map.of("steps", step));
      }
    } catch (InterruptedException e) {
      System.out.println("cancelled " + parcel.id());
      throw e;
    }
    System.out.println("shipped " + parcel.id());
    return Map.of("number", "p-" + parcel.id());
  }
}
