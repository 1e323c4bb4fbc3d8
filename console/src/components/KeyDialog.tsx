import { Button, Group, Modal, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiKey, useApiKey } from '../lib/key';
import { texts } from '../texts';

/** Asks for an API key when the service has refused a call for want of one. */
export function KeyDialog() {
  const { asked, key } = useApiKey();
  const queries = useQueryClient();
  const [value, setValue] = useState('');
  return (
    <Modal opened={asked} onClose={apiKey.dismiss} title={texts.key.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apiKey.set(value.trim() || null);
          setValue('');
          void queries.invalidateQueries();
        }}
      >
        <PasswordInput
          label={texts.key.label}
          description={texts.key.hint}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Group mt="md" justify="flex-end">
          {key && (
            <Button
              variant="default"
              onClick={() => {
                apiKey.set(null);
                setValue('');
                void queries.resetQueries();
              }}
            >
              {texts.key.forget}
            </Button>
          )}
          <Button type="submit">{texts.key.use}</Button>
        </Group>
      </form>
    </Modal>
  );
}
