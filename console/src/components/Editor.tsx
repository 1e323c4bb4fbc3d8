import { useComputedColorScheme } from '@mantine/core';
import { autocompletion, closeBrackets, completeFromList, type Completion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, defaultHighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { nonce } from '../lib/nonce';
import type { Schemas } from '../api/client';

interface Props {
  /** What it begins with; a new text begins anew. */
  text: string;
  label: string;
  onChange: (text: string) => void;
  errors: Schemas['FieldError'][];
  warnings: Schemas['FieldError'][];
  words: string[];
}

function diagnostic(state: EditorState, error: Schemas['FieldError'], severity: Diagnostic['severity']): Diagnostic {
  const line = state.doc.line(Math.min(Math.max(error.line ?? 1, 1), state.doc.lines));
  const from = Math.min(line.from + Math.max((error.column ?? 1) - 1, 0), line.to);
  return { from, to: Math.max(line.to, from), severity, message: `${error.pointer}: ${error.message}` };
}

/** Edits YAML, shows what is wrong where it is, and completes the words of the language. */
export default function Editor({ text, label, onChange, errors, warnings, words }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(onChange);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    changed.current = onChange;
  });
  useEffect(() => {
    const options: Completion[] = words.map((word) => ({ label: word, type: 'property' }));
    const made = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          yaml(),
          syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
          autocompletion({ override: [completeFromList(options)] }),
          lintGutter(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.theme({ '&': { height: '60vh', fontSize: '13px' }, '.cm-scroller': { overflow: 'auto' } }, { dark: scheme === 'dark' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [text, label, words, scheme]);
  useEffect(() => {
    const { current } = view;
    if (!current) return;
    const found = [
      ...errors.map((error) => diagnostic(current.state, error, 'error')),
      ...warnings.map((warning) => diagnostic(current.state, warning, 'warning')),
    ].sort((one, other) => one.from - other.from);
    current.dispatch(setDiagnostics(current.state, found));
  }, [errors, warnings]);
  return <div ref={box} className="editor" />;
}
