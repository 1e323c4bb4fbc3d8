package dev.superstep.run;

/// How a list of threads is ordered; those of one place by their ids.
public record ThreadOrder(By by, Direction direction) {
  public static final ThreadOrder NEWEST = new ThreadOrder(By.CREATED_AT, Direction.DESCENDING);

  public enum By {
    ID,
    STATUS,
    CREATED_AT,
    UPDATED_AT
  }

  public enum Direction {
    ASCENDING,
    DESCENDING
  }
}
