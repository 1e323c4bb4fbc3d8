import { NumberInput } from '@mantine/core';
import { useState } from 'react';

interface Props {
  label: string;
  value: number | undefined;
  min: number;
  max: number;
  onGo: (value: number) => void;
}

/** A number to go to, with Enter: not at each digit, for what is there may be large. */
export function GoTo({ label, value, min, max, onGo }: Props) {
  const [typed, setTyped] = useState<number | string>();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof typed === 'number') onGo(typed);
        setTyped(undefined);
      }}
    >
      <NumberInput label={label} min={min} max={max} allowDecimal={false} value={typed ?? value ?? ''} onChange={setTyped} w={170} />
    </form>
  );
}
