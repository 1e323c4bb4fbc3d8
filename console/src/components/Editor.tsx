import { useComputedColorScheme } from '@mantine/core';
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { nonce } from '../lib/nonce';
import type { Schemas } from '../api/client';
import { editorStyle } from './editorStyle';

/** What may stand at a position, in the order in which it is offered. */
export type Complete = (text: string, position: number) => { from: number; options: Completion[] } | undefined;

interface Props {
  /** What it begins with; a new text begins anew. */
  text: string;
  label: string;
  onChange: (text: string) => void;
  errors: Schemas['FieldError'][];
  warnings: Schemas['FieldError'][];
  complete: Complete;
}

function diagnostic(state: EditorState, error: Schemas['FieldError'], severity: Diagnostic['severity']): Diagnostic {
  const line = state.doc.line(Math.min(Math.max(error.line ?? 1, 1), state.doc.lines));
  const from = Math.min(line.from + Math.max((error.column ?? 1) - 1, 0), line.to);
  return { from, to: Math.max(line.to, from), severity, message: `${error.pointer}: ${error.message}` };
}

const begun = /[\w#.$-]$/;
const word = /^[\w#$-]*$/;

/** Without being asked, it offers only to go on with a word, or a value after its key. */
function source(context: CompletionContext, complete: Complete): CompletionResult | null {
  const before = context.state.doc.lineAt(context.pos).text.slice(0, context.pos - context.state.doc.lineAt(context.pos).from);
  if (!context.explicit && !begun.test(before) && !/: $/.test(before)) return null;
  const found = complete(context.state.doc.toString(), context.pos);
  if (!found?.options.length) return null;
  const options = found.options.map((option, index) => ({ ...option, boost: Math.max(-99, 99 - index) }));
  return { from: found.from, options, validFor: word };
}

/** Edits YAML, shows what is wrong where it is, and completes what may stand at the cursor. */
export default function Editor({ text, label, onChange, errors, warnings, complete }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, complete });
  const style = useRef(new Compartment());
  const scheme = useComputedColorScheme('light');
  const first = useRef(scheme);
  useEffect(() => {
    latest.current = { onChange, complete };
  });
  useEffect(() => {
    const made = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          highlightActiveLine(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          yaml(),
          style.current.of(editorStyle(first.current)),
          autocompletion({ override: [(context) => source(context, latest.current.complete)], icons: false }),
          lintGutter(),
          Prec.high(keymap.of([{ key: 'Tab', run: acceptCompletion }])),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.theme({ '&': { height: '60vh' } }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [text, label]);
  useEffect(() => {
    view.current?.dispatch({ effects: style.current.reconfigure(editorStyle(scheme)) });
  }, [scheme]);
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
