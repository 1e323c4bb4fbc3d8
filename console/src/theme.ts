import { Anchor, Badge, createTheme, type CSSVariablesResolver } from '@mantine/core';

/** One accent, system fonts, and monospace for what the service says word by word. Links are underlined and statuses dotted: colour is never all that tells them apart. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '600' },
  components: {
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'dot', tt: 'none' } }),
  },
});

/** Colours of text with the contrast that weak eyes need. */
export const colors: CSSVariablesResolver = ({ colors: palette }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': palette.gray[7],
    '--mantine-color-anchor': palette.blue[8],
    '--mantine-color-blue-light-color': palette.blue[9],
    '--mantine-color-red-light-color': palette.red[9],
    '--mantine-color-error': palette.red[9],
    '--mantine-color-placeholder': palette.gray[7],
  },
  dark: {
    '--mantine-color-dimmed': palette.dark[1],
    // The dot of a grey status, which else has the colour of what it lies on.
    '--mantine-color-gray-filled': palette.gray[6],
    '--mantine-color-anchor': palette.blue[3],
    '--mantine-color-blue-light-color': palette.blue[2],
    '--mantine-color-red-light-color': palette.red[2],
    '--mantine-color-placeholder': palette.dark[1],
  },
});
