import { Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { texts } from '../../texts';
import type { GraphViewProps } from './GraphCanvas';

export type { NodeState } from './elements';

const Canvas = lazy(() => import('./GraphCanvas'));

/** The picture of a graph; what draws it is loaded when it is needed. */
export function GraphView(props: GraphViewProps) {
  return (
    <Suspense fallback={<Loader aria-label={texts.loading} />}>
      <Canvas {...props} />
    </Suspense>
  );
}
