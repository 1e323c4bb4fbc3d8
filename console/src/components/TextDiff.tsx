import { yaml } from '@codemirror/lang-yaml';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { nonce } from '../lib/nonce';

/** What changed from one text to another, in one column. */
export default function TextDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: after,
        extensions: [
          EditorView.cspNonce.of(nonce),
          yaml(),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          unifiedMergeView({ original: before, mergeControls: false }),
        ],
      }),
    });
    return () => view.destroy();
  }, [before, after, label]);
  return <div ref={box} className="editor" />;
}
