package dev.superstep.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The database's disk, a small file system of its own, fills up under load, and is given room
/// again.
record DiskFull() implements Scenario {
  private static final String SIZE = "size=260m";
  private static final int PIECE = 1 << 16;

  @Override
  public String name() {
    return "disk full";
  }

  @Override
  public Optional<String> skipped() {
    return System.getProperty("user.name").equals("root")
        ? Optional.empty()
        : Optional.of("only root may mount the small file system");
  }

  @Override
  public Optional<Path> ownDatabase(Path folder) throws IOException, InterruptedException {
    var small = Files.createDirectories(folder.resolve("small"));
    run(List.of("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", small.toString()));
    return Optional.of(small);
  }

  @Override
  public void after(Path folder) throws IOException, InterruptedException {
    run(List.of("umount", folder.resolve("small").toString()));
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    int code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException("%s gave %d".formatted(command, code));
    }
  }

  @Override
  public void play(Stage stage) throws Exception {
    var load = new Load(stage.cluster(), "full");
    var faults = new Faults(stage);
    var filler = stage.folder().resolve("small").resolve("filler");
    Verdict.after(
        stage,
        load,
        () -> {
          for (int round = 0; round < 2; round++) {
            load.start(10);
            TimeUnit.MILLISECONDS.sleep(stage.random().nextInt(300));
            faults.noteOpenTasks();
            fill(filler);
            stage.tally().fault("disk full");
            TimeUnit.SECONDS.sleep(6);
            Files.delete(filler);
            if (!stage.cluster().postgres().alive()) {
              stage.tally().figurePlus("postgres_gave_up", 1);
              stage.cluster().postgres().restart();
            }
            faults.noteOpenTasks();
          }
        });
  }

  /// Whatever the database frees meanwhile is taken, too.
  private static void fill(Path filler) throws IOException, InterruptedException {
    var piece = new byte[PIECE];
    try (var out = Files.newOutputStream(filler)) {
      for (int quiet = 0; quiet < 10; ) {
        try {
          out.write(piece);
        } catch (IOException _) {
          quiet++;
          TimeUnit.MILLISECONDS.sleep(50);
        }
      }
    }
  }
}
