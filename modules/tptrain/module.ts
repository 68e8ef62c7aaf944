import { defineModule } from '../../core/module/define.ts'

/** 尖子班: selection, classes and their plan, on the engine of companions. */
export default defineModule<string>({
  name: 'tptrain',
  title: '尖子班',
  screens: [
    '/tptrain/operation/student', '/tptrain/operation/task', '/tptrain/research/class', '/tptrain/research/class-peiyou', '/tptrain/research/task', '/tptrain/research/material',
    '/tptrain/research/paper', '/tptrain/research/paper/:id', '/tptrain/research/paper/practices/:id', '/tptrain/order',
  ],
})
