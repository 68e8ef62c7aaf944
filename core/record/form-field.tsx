import { createContext, useContext } from 'react'
import type { Resource } from '../resource/define.ts'
import type { Presentation } from '../resource/present.tsx'
import { changedKeys } from './draft.ts'
import { FieldItem } from '../form/field-item.tsx'

/** The state of a record's form, for what is laid out in it. */
export interface FormState {
  readonly resource: Resource
  readonly inputs: Presentation['inputs']
  /** What is typed now, with what the resource fixes. */
  readonly values: Readonly<Record<string, unknown>>
  /** The stored values that are being changed; undefined for a new record. */
  readonly stored: Readonly<Record<string, unknown>> | undefined
}

/** Given by the form of a record. */
export const FormContext = createContext<FormState | undefined>(undefined)

/**
 * One field of the record's form, wherever a layout puts it: with its rules, its input, and the form's errors.
 * @throws Error outside of a record's form, and for a name that is no field of the resource
 */
export function FormField({ name }: { name: string }) {
  const form = useContext(FormContext)
  const field = form?.resource.fields[name]
  if (!form || !field) throw new Error(`no field ${name} in this form`)
  const { inputs, values, stored } = form
  // What is stored already was good, and a masked number is not a number.
  const kept = (value: unknown) => stored !== undefined && changedKeys([name], stored, { [name]: value }).length === 0
  return <FieldItem name={name} field={field} values={values} own={inputs?.[name]} disabled={stored !== undefined && field.createOnly === true} kept={kept} />
}
