import type { Resource } from '../../core/resource/define.ts'
import { defineCourseLine, lineResources } from '../offer/module.ts'
import { screenId, screenPath } from '../screens.ts'
import { ENGLISH_LINE, OFFERS_AT } from './row.ts'

/** The line with what follows from its row. */
export const englishLine = defineCourseLine(ENGLISH_LINE, (path) => screenId(screenPath(path)), {
  offersAt: OFFERS_AT,
  // A part of a unit is complete when its words can be learned, its text heard, and both practised.
  complete: {
    each: 'lesson',
    needs: [
      { key: 'word_list', label: '词表', hint: '本单元的单词表', blocks: { kinds: ['word_list'] } },
      { key: 'sound', label: '课文音频', hint: '课文音频或动画，至少要有一个', blocks: { kinds: ['audio', 'animation'] } },
      { key: 'paper', label: '练习', hint: '练习试卷，至少要有一份', blocks: { kinds: ['paper'] } },
    ],
  },
})

const { textbooks } = englishLine
if (!textbooks) throw new Error('小学应用 has no textbooks')
/** The textbooks whose words are kept. */
export const englishTextbook = textbooks

/** Its kinds of records. @public tables are made from what files export */
export const englishResources: readonly Resource[] = lineResources(englishLine)
