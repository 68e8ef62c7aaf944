import { defineModule } from '../../core/module/define.ts'

export { staff } from './staff.ts'

/** Staff of the console: accounts, what they are granted, and how they may be limited. */
export default defineModule({
  name: 'staff',
  title: '内部员工',
  screens: ['/userManagement/staff', '/system/role-template'],
})
