/** What costs are read from: calls of models with a known cost, or a sum of them. */
interface Costly {
  cost?: string;
  unpriced_calls?: number;
}

/** Digits behind the point that a person reads; the rest stands in the title. */
const shortDigits = 6;

/**
 * A cost as people read it, and in full. Amounts are decimal text and stay text: as numbers they
 * would lose digits. A short one is never 0 unless the cost is.
 */
export function cost(usage: Costly | undefined, currency = ''): { text: string; whole: string; lacks: number } | undefined {
  if (usage?.cost === undefined) return undefined;
  const unit = currency && ` ${currency}`;
  return { text: short(usage.cost) + unit, whole: usage.cost + unit, lacks: usage.unpriced_calls ?? 0 };
}

function short(amount: string): string {
  const [units = '0', decimals = ''] = amount.split('.');
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ',');
  if (decimals.length <= shortDigits) return decimals ? `${grouped}.${decimals}` : grouped;
  // Small amounts keep two digits that say something; cut, not rounded: never more than it was.
  const first = decimals.search(/[1-9]/);
  const digits = units === '0' && first >= 0 ? Math.max(shortDigits, first + 2) : shortDigits;
  const cut = decimals.slice(0, digits);
  return `${grouped}.${cut}${decimals.length > digits ? '…' : ''}`;
}
