export { type Following, followFaults } from "./follow-faults.ts";
