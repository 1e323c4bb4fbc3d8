import { Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { texts } from '../../texts';
import type { GraphViewProps } from './GraphCanvas';

export type { NodeState } from './elements';

// It is on its way while a page still reads what to draw.
const loading = import('./GraphCanvas');
const Canvas = lazy(() => loading);

/** The picture of a graph; what draws it is loaded with the first page that has one. */
export function GraphView(props: GraphViewProps) {
  return (
    <Suspense fallback={<Loader role="progressbar" aria-label={texts.loading} />}>
      <Canvas {...props} />
    </Suspense>
  );
}
