import { Button, Divider, Group, Modal, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiKey, useApiKey } from '../lib/key';
import { provider, signInAddress } from '../lib/session';
import { SignInFailure } from './SignInFailure';
import { texts } from '../texts';

/** Asks to sign in, or for an API key, when the service has refused a call for want of either. */
export function KeyDialog() {
  const { asked, key } = useApiKey();
  const queries = useQueryClient();
  const [value, setValue] = useState('');
  return (
    <Modal opened={asked} onClose={apiKey.dismiss} closeButtonProps={{ 'aria-label': texts.close }} title={provider ? texts.signIn.title : texts.key.title}>
      {provider && (
        <>
          <SignInFailure />
          <Button component="a" href={signInAddress()} fullWidth data-autofocus>
            {texts.signIn.with(provider)}
          </Button>
          <Divider my="md" label={texts.signIn.orKey} />
        </>
      )}
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
          data-autofocus={provider ? undefined : true}
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
