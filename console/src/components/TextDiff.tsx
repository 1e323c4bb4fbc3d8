import { useComputedColorScheme } from '@mantine/core';
import { yaml } from '@codemirror/lang-yaml';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { nonce } from '../lib/nonce';
import { editorStyle } from './editorStyle';

/** What changed from one text to another, in one column. */
export default function TextDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const view = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: after,
        extensions: [
          EditorView.cspNonce.of(nonce),
          yaml(),
          editorStyle(scheme),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 4, minSize: 8 } }),
        ],
      }),
    });
    return () => view.destroy();
  }, [before, after, label, scheme]);
  return <div ref={box} className="editor" />;
}
