import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours of YAML with a contrast of 4.5 and more against their background. */
const palettes = {
  light: { key: '#1558a0', text: '#8a2c0d', atom: '#5f3dc4', comment: '#5c636a', mark: '#495057' },
  dark: { key: '#8ec5ff', text: '#f0b38a', atom: '#c5b3ff', comment: '#a3abb3', mark: '#c1c7cd' },
};

function highlight({ key, text, atom, comment, mark }: (typeof palettes)['light'], themeType: 'light' | 'dark'): Extension {
  const style = HighlightStyle.define(
    [
      { tag: [tags.definition(tags.propertyName), tags.propertyName], color: key, fontWeight: '600' },
      { tag: [tags.string, tags.special(tags.string)], color: text },
      { tag: [tags.content, tags.attributeValue], color: text },
      { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.keyword, tags.typeName, tags.labelName], color: atom },
      { tag: [tags.comment, tags.lineComment], color: comment, fontStyle: 'italic' },
      { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace, tags.meta], color: mark },
    ],
    { themeType },
  );
  return syntaxHighlighting(style);
}

function surface(dark: boolean): Extension {
  const [background, text, gutter, line, selection, border] = dark
    ? ['#1b1b1b', '#e6e6e6', '#a3abb3', '#ffffff0f', '#2f5d8c', '#424242']
    : ['#ffffff', '#1f2328', '#5c636a', '#0000000a', '#c9e2ff', '#ced4da'];
  return EditorView.theme(
    {
      '&': { backgroundColor: background, color: text, fontSize: '13px', border: `1px solid ${border}`, borderRadius: '8px' },
      '.cm-scroller': { overflow: 'auto' },
      '.cm-content': { caretColor: text },
      '.cm-cursor': { borderLeftColor: text },
      '.cm-gutters': { borderRadius: '8px 0 0 8px', backgroundColor: background, color: gutter, borderRight: `1px solid ${border}` },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: line },
      '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection': { backgroundColor: selection },
      '.cm-tooltip': { backgroundColor: background, color: text, border: `1px solid ${border}`, borderRadius: '6px' },
      '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
      '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: dark ? '#1864ab' : '#1864ab', color: '#ffffff' },
      '.cm-completionDetail': { color: 'inherit', opacity: '0.85' },
      '.cm-completionInfo': { maxWidth: '320px', padding: '6px 10px' },
      '.cm-diagnostic': { padding: '4px 10px' },
    },
    { dark },
  );
}

/** How texts look in an editor: readable in light and in dark. */
export function editorStyle(scheme: 'light' | 'dark'): Extension {
  return [surface(scheme === 'dark'), highlight(palettes[scheme], scheme)];
}
