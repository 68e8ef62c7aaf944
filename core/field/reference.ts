import * as z from 'zod/mini'
import { cellText, type Field } from './field.ts'
import { makeField, type Options } from './make.ts'
import { splitList } from './choice.ts'

/** What a reference needs to know of the resource that it points to. */
export interface Target {
  readonly name: string
  readonly label: string
  readonly table: string
  /** Id of its screen; absent where its records are not opened. */
  readonly grant?: number
  /** Field that names a record to people. */
  readonly title: string
  /** It is the name of somebody who learns. */
  readonly masksTitle?: boolean
  /** Path of the call that offers records to pick. */
  readonly optionsPath: string
}

/**
 * What the removal of a record does to those that refer to it: `refuse`, it stays while they need it; `keep`, its name stays
 * in them as history; `cascade`, they go with it, and come back with it.
 */
export type OnRemove = 'refuse' | 'keep' | 'cascade'

/** Values of another field of the referring record, by its key. */
export type States = Readonly<Record<string, readonly (string | number)[]>>

export interface ReferenceExtra {
  /** `refuse` by default. */
  onRemove?: OnRemove
  /** States in which the referring record needs what it refers to; in others only the name stays in it. Of `refuse` alone. */
  neededWhile?: States
  /** Narrows what is offered by another field of the same form: own field name → filter name of the target. */
  within?: Readonly<Record<string, string>>
}

export interface ReferenceField<R extends boolean = boolean> extends Field<number, R> {
  readonly kind: 'reference' | 'tree_reference'
  /** A function, because two resources may point at each other. */
  readonly target: () => Target
  readonly within: Readonly<Record<string, string>>
  readonly onRemove: OnRemove
  readonly neededWhile: States
}

export interface ReferenceListField<R extends boolean = boolean> extends Field<number[], R> {
  readonly kind: 'reference_list'
  readonly target: () => Target
  /** Its records are nodes of a tree: filtering by one includes everything below it. */
  readonly branches: boolean
  readonly within: Readonly<Record<string, string>>
  readonly onRemove: OnRemove
  readonly neededWhile: States
}

const idSchema = z.int('请从列表中选择').check(z.positive('请从列表中选择'))

function referenceField<Kind extends 'reference' | 'tree_reference', R extends boolean>(
  kind: Kind, label: string, target: () => Target, options: Options<R, ReferenceExtra>,
) {
  return {
    ...makeField(label, options, {
      kind,
      refers: 'one',
      indexed: true,
      ...(kind === 'reference' && { prefilled: true }),
      ask: '请选择',
      column: 'bigint',
      filter: kind === 'tree_reference' ? 'subtree' : 'in',
      schema: idSchema,
      sheet: { type: 'text', example: '', note: `填写已有${label}的名称` },
      // The name stays a name here; the import looks all of them up at once.
      fromSheet: (cell) => cellText(cell) || null,
      toSheet: (value) => value,
    }),
    target,
    within: options.within ?? {},
    onRemove: options.onRemove ?? 'refuse',
    neededWhile: options.neededWhile ?? {},
  }
}

/**
 * A record of another resource. Rows carry its name as a twin: `partner_id` → `partner_name`.
 * @example partner_id: reference('合伙人', () => partner, { required: true })
 */
export function reference<const R extends boolean = false>(label: string, target: () => Target, options: Options<R, ReferenceExtra> = {}): ReferenceField<R> {
  return referenceField('reference', label, target, options)
}

/** A node of a tree; filtering by it includes everything below it. */
export function treeReference<const R extends boolean = false>(label: string, target: () => Target, options: Options<R, ReferenceExtra> = {}): ReferenceField<R> {
  return referenceField('tree_reference', label, target, options)
}

function listField<R extends boolean>(label: string, target: () => Target, branches: boolean, options: Options<R, ReferenceExtra>): ReferenceListField<R> {
  return {
    ...makeField(label, options, {
      kind: 'reference_list',
      refers: 'many',
      ask: '请选择',
      column: 'bigint[]',
      filter: 'overlap',
      schema: z.array(idSchema, '应为列表').check(
        z.overwrite((ids) => [...new Set(ids)]),
        z.maxLength(500, '最多选择 500 项'),
      ),
      sheet: { type: 'text', example: '', note: `填写已有${label}的名称，多个用逗号隔开` },
      fromSheet: splitList,
      toSheet: (value) => value.join('，'),
    }),
    target,
    branches,
    within: options.within ?? {},
    onRemove: options.onRemove ?? 'refuse',
    neededWhile: options.neededWhile ?? {},
  }
}

/** Several records of another resource, in order: `unit_ids` → `unit_names`. */
export function referenceList<const R extends boolean = false>(label: string, target: () => Target, options: Options<R, ReferenceExtra> = {}): ReferenceListField<R> {
  return listField(label, target, false, options)
}

/** Several nodes of a tree; filtering by one includes everything below it. */
export function treeReferenceList<const R extends boolean = false>(label: string, target: () => Target, options: Options<R, ReferenceExtra> = {}): ReferenceListField<R> {
  return listField(label, target, true, options)
}

/** Key of the twin that carries the name: `partner_id` → `partner_name`, `unit_ids` → `unit_names`. */
export function displayKey(key: string): string {
  return key.endsWith('_ids') ? `${key.slice(0, -4)}_names` : key.endsWith('_id') ? `${key.slice(0, -3)}_name` : `${key}_name`
}
