-- What was spent on models, per amount of a budget and window of time. The budgets themselves are in the settings.
create table budget_window (
  budget          text collate "C" not null,
  tenant          text collate "C" not null,
  caller          text collate "C" not null,
  begins_at       timestamptz      not null,
  ends_at         timestamptz      not null,
  model_calls     bigint           not null default 0,
  tokens          bigint           not null default 0,
  tokens_reserved bigint           not null default 0,
  money           numeric          not null default 0,
  money_reserved  numeric          not null default 0,
  model_calls_max bigint,
  tokens_max      bigint,
  money_max       numeric,
  primary key (budget, tenant, caller, begins_at)
) with (fillfactor = 50);

comment on table budget_window is 'What was spent of the budgets, per day or month.';
comment on column budget_window.tenant is 'Empty: several tenants share the amount.';
comment on column budget_window.caller is 'Empty: several callers share the amount.';
comment on column budget_window.tokens_reserved is 'By calls under way, and by those of which it is not known what they took.';
comment on column budget_window.money_max is 'The limit by the settings when it was last drawn on; null: none.';
