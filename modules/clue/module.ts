import { defineModule } from '../../core/module/define.ts'

/** 线索: who may come to learn in the camp, who speaks with them, and the pool of those whom nobody has. */
export default defineModule({ name: 'clue', title: '线索', screens: ['/excellent-training/clue'] })
