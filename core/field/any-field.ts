import type { ChoiceField, MultiChoiceField, ToggleField } from './choice.ts'
import type { FileField, ImagesField } from './file.ts'
import type { GroupField } from './group.ts'
import type { ComputedField, JsonField, TagsField } from './json.ts'
import type { MobileField } from './mobile.ts'
import type { NumberField } from './number.ts'
import type { PersonNameField } from './person-name.ts'
import type { ReferenceField, ReferenceListField } from './reference.ts'
import type { RegionField } from './region.ts'
import type { RichTextField } from './rich-text.ts'
import type { SegmentField } from './segment.ts'
import type { TextField } from './text.ts'
import type { TimeField, TimeRangeField } from './time.ts'

/** Every kind of field; what handles kinds is a record over `AnyField['kind']`, so that a new kind cannot be forgotten. */
export type AnyField =
  | TextField | NumberField | ChoiceField | MultiChoiceField | ToggleField | TimeField | TimeRangeField
  | MobileField | PersonNameField | ReferenceField | ReferenceListField | RegionField | FileField | ImagesField | JsonField | TagsField | ComputedField | SegmentField | GroupField | RichTextField

export type FieldKind = AnyField['kind']
