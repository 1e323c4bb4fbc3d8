import type { ReactNode } from 'react';
import { useMay, type Scope } from '../lib/server';

/** Shows what the key of this tab may use; the frame says what it may not do. */
export function Allowed({ scope, children }: { scope: Scope; children: ReactNode }) {
  return useMay(scope) ? children : null;
}
