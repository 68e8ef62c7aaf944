import { isEmpty } from '../field/check.ts'

/** What a policy looks at: who asks, the value of its field in the record, and the values that it names. */
type Judge = (staffId: number, value: unknown, values: readonly (string | number)[]) => boolean

/** The policies, by name: whether somebody who holds the right may do it with this record. */
const POLICIES = {
  /** Only the person whom the field names. */
  author: (staffId, value) => value === staffId,
  /** Anybody but the person whom the field names: who submitted something does not decide about it. */
  another: (staffId, value) => value !== staffId,
  /** Only while nobody else has it: the field is empty, or names the person. */
  unclaimed: (staffId, value) => isEmpty(value) || value === staffId,
  /** Only while the field has one of the values. */
  while: (_staffId, value, values) => values.includes(value as string | number),
  /** Not while the field has one of the values. */
  unless: (_staffId, value, values) => !values.includes(value as string | number),
} as const satisfies Record<string, Judge>

interface PolicyBase<Right extends string, Action extends string> {
  /** What it is about: `edit`, `remove`, `restore`, transitions, and calls of the module's own by the names under which they are logged. */
  readonly of: readonly (Action | 'edit' | 'remove' | 'restore')[]
  /** Who holds this right is not bound by it. */
  readonly except?: Right
  /** Why not, in one sentence. */
  readonly why: string
}

/** Who may do something with a record beside holding the right for it, and when. */
export type Policy<Key extends string = string, Right extends string = string, Action extends string = string> = PolicyBase<Right, Action> & (
  | { readonly policy: 'author' | 'another' | 'unclaimed'; readonly field: Key | 'created_by'; readonly values?: never }
  | { readonly policy: 'while' | 'unless'; readonly field: Key; readonly values: readonly (string | number)[] }
)

/** What a resource says of itself that policies are judged by. */
interface PolicySubject {
  readonly name: string
  readonly policies: readonly Policy[]
  readonly transitions: readonly { readonly name: string; readonly field: string; readonly from: readonly (string | number)[] }[]
  readonly rights: { id(name: string): number }
}

/** Whether an action could be done at all with a record as it is: a policy says nothing of what is not offered. */
function isOffered({ transitions }: PolicySubject, row: Readonly<Record<string, unknown>>, action: string): boolean {
  if ((row['deleted_at'] ?? null) !== null) return action === 'restore'
  const edge = transitions.find(({ name }) => name === action)
  return action !== 'restore' && (!edge || edge.from.includes(row[edge.field] as string | number))
}

/**
 * Why this person may not do something with a record, by the action's name, as the definition's policies say. Of several that
 * refuse the first one speaks.
 */
export function policyRefusals(resource: PolicySubject, staff: { readonly id: number; readonly modules: ReadonlySet<number> }, row: Readonly<Record<string, unknown>>): Record<string, string> {
  const refused: Record<string, string> = {}
  for (const { of, policy, field, values = [], except, why } of resource.policies) {
    if (except !== undefined && staff.modules.has(resource.rights.id(except))) continue
    const judge: Judge = POLICIES[policy]
    if (judge(staff.id, row[field] ?? null, values)) continue
    for (const action of of) if (isOffered(resource, row, action)) refused[action] ??= why
  }
  return refused
}

/**
 * Refuses policies of a definition that could never refuse anything.
 * @param known names of what can be done with a record; @param columns fields that a policy may look at
 * @throws Error that names the policy
 */
export function checkPolicies({ name, policies, rights }: Pick<PolicySubject, 'name' | 'policies' | 'rights'>, known: ReadonlySet<string>, columns: ReadonlySet<string>): void {
  for (const { of, field, policy, except } of policies) {
    for (const action of of) if (!known.has(action)) throw new Error(`a policy of ${name} is about ${action}, which cannot be done with it`)
    if (!columns.has(field)) throw new Error(`the policy ${policy} of ${name} looks at ${field}, which it does not keep`)
    if (except !== undefined) rights.id(except)
  }
}
