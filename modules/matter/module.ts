import { defineModule } from '../../core/module/define.ts'

/** 物料: what is printed and given away, where it lies, who got it and when it runs out. */
export default defineModule({ name: 'matter', title: '物料', screens: ['/practiceBook/matter'] })
