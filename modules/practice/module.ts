import { defineModule } from '../../core/module/define.ts'

/** The question bank: questions, their labels and chapters, checking and comparing them. */
export default defineModule({
  name: 'practice',
  title: '题库',
  screens: [
    '/practice/back', '/practice/official', '/practice/backJunior', '/practice/officialJunior', '/practice/backPrimary', '/practice/officialPrimary',
  ],
})
