import type { AnyField, FieldKind } from './any-field.ts'
import { choiceView, multiChoiceView, toggleView } from './choice.tsx'
import { fileView, imagesView, imageView } from './file.tsx'
import { groupView } from './group.tsx'
import { computedView, jsonView, tagsView } from './json.tsx'
import { mobileView } from './mobile.tsx'
import { moneyView, numberView } from './number.tsx'
import { personNameView } from './person-name.tsx'
import { referenceListView, referenceView } from './reference.tsx'
import { regionView } from './region.tsx'
import { richTextView } from './rich-text.tsx'
import { segmentView } from './segment.tsx'
import { longTextView, textView } from './text.tsx'
import { dateView, timeRangeView, timeView } from './time.tsx'
import { videoView } from './video.tsx'
import type { FieldView } from './view.tsx'

/** The browser half of every kind. A kind without one does not compile. */
const views: { readonly [Kind in FieldKind]: unknown } = {
  text: textView,
  long_text: longTextView,
  number: numberView,
  sort_order: numberView,
  money: moneyView,
  choice: choiceView,
  multi_choice: multiChoiceView,
  toggle: toggleView,
  date: dateView,
  time: timeView,
  time_range: timeRangeView,
  mobile: mobileView,
  person_name: personNameView,
  reference: referenceView,
  tree_reference: referenceView,
  reference_list: referenceListView,
  region: regionView,
  image: imageView,
  images: imagesView,
  file: fileView,
  video: videoView,
  json: jsonView,
  tags: tagsView,
  computed: computedView,
  segment: segmentView,
  group: groupView(viewOf),
  rich_text: richTextView,
}

/** The browser half of a field's kind. */
export function viewOf(field: AnyField): FieldView<AnyField> {
  // Each view only ever meets fields of its own kind, because both come from the same key.
  return views[field.kind] as FieldView<AnyField>
}

/** Where values of a field stand in their column; words begin at the left. */
export function alignOf(field: AnyField): 'right' | 'center' | undefined {
  const { align } = viewOf(field)
  return typeof align === 'function' ? align(field) : align
}
