// Request classes as ServiceStack's code generator writes them for its TypeScript client.
import type { IReturn } from "@servicestack/client";

export class RegistrationResponse {
  userId = "";
  sessionId = "";
  userName = "";
  referrerUrl?: string;
}

export class Registration implements IReturn<RegistrationResponse> {
  userName?: string;
  displayName?: string;
  email?: string;
  password?: string;
  autoLogin?: boolean;
  continue?: string;
  constructor(init?: Partial<Registration>) {
    Object.assign(this, init);
  }
  getTypeName(): string {
    return "Registration";
  }
  getMethod(): string {
    return "POST";
  }
  createResponse(): RegistrationResponse {
    return new RegistrationResponse();
  }
}

export interface ProfileResult {
  id: string;
  screen_name: string;
  name: string;
  following?: boolean;
}

export class SocialUsersResponse {
  results: ProfileResult[] = [];
}

export class SocialUsers implements IReturn<SocialUsersResponse> {
  userIds?: string[];
  screenNames?: string[];
  constructor(init?: Partial<SocialUsers>) {
    Object.assign(this, init);
  }
  getTypeName(): string {
    return "SocialUsers";
  }
  getMethod(): string {
    return "GET";
  }
  createResponse(): SocialUsersResponse {
    return new SocialUsersResponse();
  }
}

export class SocialTimelinesResponse {
  results: { id: number; text: string }[] = [];
}

export class SocialTimelines implements IReturn<SocialTimelinesResponse> {
  screenName?: string;
  take?: number;
  sinceId?: string;
  maxId?: string;
  constructor(init?: Partial<SocialTimelines>) {
    Object.assign(this, init);
  }
  getTypeName(): string {
    return "SocialTimelines";
  }
  getMethod(): string {
    return "GET";
  }
  createResponse(): SocialTimelinesResponse {
    return new SocialTimelinesResponse();
  }
}
