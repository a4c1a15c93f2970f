import { describeLoopContract } from "../validation/contract/loop-contract.ts";
import { describeClearing } from "./loop/clearing.ts";
import { describeDoorsOfSlurm } from "./loop/doors.ts";
import { describeDryRun } from "./loop/dry-run.ts";
import { describeEvidence } from "./loop/evidence.ts";
import { describeOutagesOfSlurm } from "./loop/outages.ts";
import { describeUsersFirst } from "./loop/users-first.ts";
import { describeOnSlurm } from "./support/ground.ts";

describeOnSlurm("the loop on nodes of Slurm", (of) => {
  describeLoopContract("the contract, with batch jobs", () => of().site);
  describeUsersFirst(of);
  describeDoorsOfSlurm(of);
  describeDryRun(of);
  describeClearing(of);
  describeEvidence(of);
  describeOutagesOfSlurm(of);
});
