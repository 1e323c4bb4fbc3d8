package dev.superstep.tenant;

import java.util.Optional;
import java.util.regex.Pattern;

/// A team or a customer that shares the server with others and sees nothing of theirs.
///
/// What belongs to a tenant has it in its id: `acme/order-1` is what tenant `acme` calls `order-1`.
/// Ids of the default tenant are as clients write them. Clients never see or write the prefix: ids
/// are made a tenant's own where requests are read, and shown without it where answers are written.
///
/// @param name at most 63 lower-case letters, digits and hyphens
public record Tenant(String name) {
  /// What a name must be.
  public static final String NAME_FORM =
      "must have 1 to 63 lower-case letters, digits and '-', and not begin with '-'";

  private static final char SEPARATOR = '/';
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  /// Whose everything is on a server that nobody shares.
  public static final Tenant DEFAULT = new Tenant("default");

  /// What an id of nobody's begins with.
  private static final String NOBODYS = "//";

  /// Always, but in a test that has the database alone keep tenants apart.
  private static volatile boolean keepsApart = true;

  private static final ScopedValue<Optional<Tenant>> CURRENT = ScopedValue.newInstance();

  public Tenant {
    if (!isName(name)) {
      throw new IllegalArgumentException("no name of a tenant: " + name);
    }
  }

  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /// The tenant of the request that this thread answers; the default one outside of requests.
  public static Tenant current() {
    return ofRequest().orElse(DEFAULT);
  }

  /// The tenant of the request that this thread answers; empty outside of requests, and within
  /// [#outside].
  public static Optional<Tenant> ofRequest() {
    return CURRENT.orElse(Optional.empty());
  }

  /// Whose the thing with this id is, as rows have it.
  public static Tenant of(String id) {
    int end = id.indexOf(SEPARATOR);
    return end <= 0 ? DEFAULT : new Tenant(id.substring(0, end));
  }

  /// An id as clients know it: what [#own] was given.
  public static String shown(String id) {
    return id.startsWith(NOBODYS)
        ? id.substring(NOBODYS.length())
        : id.substring(id.indexOf(SEPARATOR) + 1);
  }

  /// Does something for several tenants, or for none.
  public static <T, E extends Throwable> T outside(ScopedValue.CallableOp<T, E> work) throws E {
    return CURRENT.isBound() && CURRENT.get().isPresent()
        ? ScopedValue.where(CURRENT, Optional.<Tenant>empty()).call(work)
        : work.call();
  }

  /// Answers a request of this tenant.
  public <T, E extends Throwable> T within(ScopedValue.CallableOp<T, E> work) throws E {
    return ScopedValue.where(CURRENT, Optional.of(this)).call(work);
  }

  /// The id as rows have it, of what this tenant's clients call `id`. What is no id, because it has
  /// a slash, becomes one that nothing has.
  public String own(String id) {
    if (!keepsApart) {
      return id;
    }
    if (id.indexOf(SEPARATOR) >= 0) {
      return NOBODYS + id;
    }
    return isDefault() ? id : name + SEPARATOR + id;
  }

  /// An id that nothing has, and that is shown to clients as this one is.
  ///
  /// @param id as rows have it
  public static String nobodys(String id) {
    return NOBODYS + shown(id);
  }

  /// Whether nothing has this id, and nothing may be made with it.
  public static boolean isNobodys(String id) {
    return id.startsWith(NOBODYS);
  }

  /// Whether the thing with this id, as rows have it, is this tenant's.
  public boolean owns(String id) {
    return isDefault()
        ? id.indexOf(SEPARATOR) < 0
        : id.startsWith(name) && id.startsWith("/", name.length());
  }

  /// The tenant to whose rows the request that this thread answers keeps its lists; empty: it lists
  /// all that it sees.
  public static Optional<Tenant> ofLists() {
    return keepsApart ? ofRequest() : Optional.empty();
  }

  /// For tests alone: ids of requests are taken as they are, and lists have no condition.
  static void takeIdsAsTheyAre() {
    keepsApart = false;
  }

  /// For tests alone: ends that.
  static void keepApart() {
    keepsApart = true;
  }

  /// Whether the request that this thread answers may reach the thing with this id, as rows have
  /// it.
  public static boolean reaches(String id) {
    return ofLists().filter(it -> !it.owns(id)).isEmpty();
  }

  /// Whether the database would let the request that this thread answers see the thing with this
  /// id, for what is not read there on a connection of the request: caches, and queries that
  /// several share.
  public static boolean admits(String id) {
    return ofRequest().filter(it -> !it.equals(of(id))).isEmpty();
  }

  public boolean isDefault() {
    return equals(DEFAULT);
  }

  /// A message to the tenant's clients, in which ids in quotes are as they know them.
  public String shownIn(String message) {
    var own = isDefault() ? message : message.replace("'" + name + SEPARATOR, "'");
    return own.replace("'" + NOBODYS, "'");
  }
}
