import type { Field, Fields, RecordMeta, RowOf, ValueOf } from '../field/field.ts'
import type { StandardAction } from '../grant/grant.ts'

/** What a list answers for a record of whatever resource: its fields, their twins and what may be done with it. */
export type AnyWireRow = RecordMeta & Record<string, unknown> & {
  can: string[]
  /** Why this person may not do what they hold the right for, by the action's name; absent where nothing is refused. */
  cannot?: Readonly<Partial<Record<string, string>>>
  /** Of a record that was just changed: by which number that is taken back. */
  undo?: number
}

/**
 * What the halves of a resource are keyed by. It follows from the definition, so that a misspelt name does not compile.
 * Types only: there is no such value.
 */
export interface Shape {
  /** A row as the browser has it. */
  readonly wire: AnyWireRow
  /** Keys of the fields that have a value. */
  readonly field: string
  /** Keys of computed fields. */
  readonly computed: string
  /** Groups of each segment field. */
  readonly segments: Readonly<Record<string, string>>
  readonly transition: string
  /** Rights of its screen. */
  readonly right: string
  /** Whatever can be done with a record, by name. */
  readonly action: string
}

export type Key<F> = Extract<keyof F, string>

/** Keys of the fields of some kind. */
type OfKind<F extends Fields, Kind extends string> = Extract<{ [K in keyof F]: F[K] extends { readonly kind: Kind } ? K : never }[keyof F], string>

export type ReferenceKey<F extends Fields> = string extends keyof F ? string : OfKind<F, 'reference' | 'tree_reference'>

/** As `displayKey` and `regionNameKey` work them out. */
type DisplayKey<K> = K extends `${infer Name}_ids` ? `${Name}_names` : K extends `${infer Name}_id` ? `${Name}_name` : K extends string ? `${K}_name` : never
type RegionNameKey<K> = K extends `${infer Name}_code` ? `${Name}_name` : never

/** What a row carries beside its fields. */
type Twins<F extends Fields> =
  & { [K in OfKind<F, 'reference' | 'tree_reference'> as DisplayKey<K>]: string | null }
  & { [K in OfKind<F, 'reference_list'> as DisplayKey<K>]: string[] }
  & { [K in OfKind<F, 'region'> as RegionNameKey<K>]: string | null }
  & { created_by_name: string | null; updated_by_name: string | null }

export type Flat<T> = { [K in keyof T]: T[K] } & {}

type Action<Transition extends string, Logged extends string> = Transition | Logged | Exclude<StandardAction, 'import' | 'export'> | 'restore'

/** The shape of a definition; of one whose keys only its data know, everything is allowed. Calls of a module's own never stand in `can`: who may make them is asked by their right. */
export type ShapeOf<F extends Fields, Right extends string, Transition extends string, Logged extends string> = string extends keyof F ? Shape : {
  readonly wire: Extract<Flat<RowOf<F> & Twins<F> & { can: Action<Transition, never>[]; cannot?: Readonly<Partial<Record<Action<Transition, Logged>, string>>> }>, AnyWireRow>
  readonly field: Exclude<Key<F>, OfKind<F, 'segment'>>
  readonly computed: OfKind<F, 'computed'>
  readonly segments: { readonly [K in OfKind<F, 'segment'>]: ValueOf<F[K]> & string }
  readonly transition: Transition
  readonly right: Right
  readonly action: Action<Transition, Logged>
}

/** The fields of a map that are known by name, beside others that are not; one that is not always there may have no value. */
export type KnownFields<F> = { [K in keyof F as string extends K ? never : number extends K ? never : K]-?: F[K] extends Field ? F[K] : Field<ValueOf<F[K]>> }

/** The shape of a definition that has these fields, and others that only its data know. */
export type OpenShape<F extends Fields> = Omit<Shape, 'wire'> & { readonly wire: Flat<RowOf<F> & Twins<F>> & AnyWireRow }

/** A map with these keys and no other; none of them has to be there. */
export type Keyed<K extends string, Value> = string extends K ? Readonly<Record<string, Value>> : [K] extends [never] ? Readonly<Record<string, never>> : { readonly [P in K]?: Value }

/** Values that fields of a record have, for what a definition says of them. */
export type ValuesOf<F extends Fields> = string extends keyof F ? Readonly<Record<string, string | number>> : { readonly [K in Key<F>]?: Extract<ValueOf<F[K]>, string | number> }

/** Which field holds a state, and two of its values. */
export type EdgeOf<F extends Fields> = string extends keyof F ? Edge<string, string | number>
  : { [K in Key<F>]: F[K] extends Field<infer Value extends string | number, boolean> ? Edge<K, Value> : never }[Key<F>]

interface Edge<K, Value> {
  /** The field that holds the state. */
  readonly field: K
  readonly from: readonly Value[]
  readonly to: Value
}
